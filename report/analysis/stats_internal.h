/* The special functions that the methods need. */
#ifndef REPORT_ANALYSIS_STATS_INTERNAL_H
#define REPORT_ANALYSIS_STATS_INTERNAL_H

/* Standard normal: P(Z <= z), and its inverse for 0 < p < 1. Relative error under 1e-12. */
double norm_cdf(double z);
double norm_ppf(double p);

#endif
