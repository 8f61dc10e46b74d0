/* Student's t distribution. */
#ifndef CORE_STATS_STUDENT_H
#define CORE_STATS_STUDENT_H

/* With df > 0 (not only whole): P(|T| > t), and the inverse of P(T <= t) = p. */
double t_sf2(double t, double df);
double t_ppf(double p, double df);

#endif
