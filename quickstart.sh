#!/usr/bin/env bash
# blkmatrix, from a fresh Debian 12 (or Ubuntu 24.04) machine to a report in one command.
#
#   ./quickstart.sh                 installs what it needs, builds, sweeps a scratch file, writes the report
#   ./quickstart.sh --dev /dev/sdc  the same on a device: only reads, nothing on it changes
#   ./quickstart.sh test            installs, builds and runs every test; the exit status tells
#
# Nothing is done twice: what is installed stays, what is built is reused.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export LC_ALL=C.UTF-8

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
[ -t 2 ] || say() { printf '==> %s\n' "$*" >&2; }
die() { printf 'quickstart: %s\n' "$1" >&2; exit "${2:-1}"; }
usage() { sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

# ---- packages: name, then why --------------------------------------------------------------------
build_packages='
gcc               C compiler
cmake             build
ninja-build       build
pkg-config        finds the libraries
libc6-dev         C library headers
libsqlite3-dev    the result store
libcsv-dev        CSV in and out
libcjson-dev      JSON
libaio-dev        asynchronous I/O
liburing-dev      asynchronous I/O, io_uring
libblkid-dev      safety: finds filesystems and partition tables
libmount-dev      safety: finds mounts
libsmartcols-dev  terminal tables
libcairo2-dev     charts
libpango1.0-dev   text in charts
uuid-dev          run ids
nettle-dev        SHA-256 of imported files
libcurl4-openssl-dev the metadata service of the cloud, for limits
libarchive-dev    imports from archives
zlib1g-dev        checksums of gzip files
fonts-dejavu-core letters for charts'
test_packages='
libcriterion-dev  unit tests
fio               the reference that results are held against
sqlite3           the schema seen from outside
python3           checks of JSON and HTML
python3-jsonschema checks of JSON output
libxml2-utils     checks of SVG
librsvg2-bin      checks of SVG
poppler-utils     checks of the printed report
strace            counts the system calls of the I/O loop
e2fsprogs         filesystems that must not be overwritten
fdisk             partition tables that must not be overwritten
mount             mounts, loop devices
clang             second compiler, fuzzing
lld               links the test programs faster
clang-tidy        lint
clang-format      lint
cppcheck          lint
pmccabe           lint: length and complexity of functions'

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -- "$@"; fi
}
have() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

install_packages() { # install_packages TABLE
    local name why missing=() line
    while read -r name why; do
        [ -n "$name" ] || continue
        have "$name" || { missing+=("$name"); line=${line-}$'\n'"    $name${why:+  ($why)}"; }
    done <<<"$1"
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "needs these packages and finds no apt-get to install them: ${missing[*]}"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "installing packages needs root: run it as root, or install sudo, or install these yourself: ${missing[*]}"
    fi
    say "installing:$line"
    [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mmin -720 2>/dev/null | head -1)" ] ||
        as_root apt-get update -qq || die "apt-get update failed: is there a network?"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
        >/dev/null || die "apt-get could not install: ${missing[*]}"
}

# ---- build ---------------------------------------------------------------------------------------
build() { # build FOLDER CMAKE-OPTIONS...
    local dir=$1; shift
    if [ ! -e "$dir/build.ninja" ]; then
        cmake -S . -B "$dir" -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$dir.log" 2>&1 ||
            { cat "$dir.log" >&2; rm -f "$dir.log"; die "cmake failed"; }
        rm -f "$dir.log"
    fi
    ninja -C "$dir" --quiet || die "the build in $dir failed"
}

scratch='' # the file the sweep is made on, removed at the end

# ---- the first command ---------------------------------------------------------------------------
quick() {
    local dev='' out=blkmatrix-report.html target=()
    while [ $# -gt 0 ]; do
        case $1 in
            --dev) [ $# -ge 2 ] || die "--dev wants a device" 2; dev=$2; shift 2 ;;
            --dev=*) dev=${1#--dev=}; shift ;;
            *) usage >&2; die "unknown option $1" 2 ;;
        esac
    done
    install_packages "$build_packages"
    say "building into build/"
    build build -DCMAKE_BUILD_TYPE=Release -DBLKMATRIX_TESTS=OFF
    if [ -n "$dev" ]; then
        target=(--dev "$dev")
    else
        scratch=$PWD/blkmatrix-scratch.$$
        # gone also after Ctrl-C; the sweep itself makes the file and fills it
        trap 'rm -f "$scratch"' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM
        local free
        free=$(df --output=avail -k . | tail -1)
        [ "$free" -gt 600000 ] || die "the scratch file needs 600 MB of free disk here: give a device with --dev, or make room"
        target=(--dev "$scratch" --size 512M)
    fi
    say "sweeping ${dev:-a scratch file}: random reads, 4k to 1M, 1 to 64 in flight, 54 s"
    # 36 cells x (1.2 s + 0.3 s ramp)
    build/blkmatrix sweep "${target[@]}" --rw randread --bs 4k..1M --iodepth 1,4,16,64 \
        --runtime 1200ms --ramp 300ms --interval 100ms --name quickstart
    say "writing the report"
    build/blkmatrix report @latest -o "$out"
    cat <<TXT

Open $PWD/$out in a browser. Then try:
  build/blkmatrix devices                            what there is to measure, and what is safe to
  build/blkmatrix sweep --dev /dev/XXX --bs 4k..1M   the main job, 60 s a cell (reads only)
  build/blkmatrix plot roofline @latest -o roofline.svg
TXT
}

# ---- the second command --------------------------------------------------------------------------
run_tests() {
    install_packages "$build_packages"$'\n'"$test_packages"
    install_packages "$(browser_package)"
    install_packages "$(sanitizer_package)"
    local failed=0
    say "building into build/ and, with AddressSanitizer and UndefinedBehaviorSanitizer, into build-asan/"
    build build -DCMAKE_BUILD_TYPE=Release -DBLKMATRIX_TESTS=ON
    cmake build -DBLKMATRIX_TESTS=ON >/dev/null && ninja -C build --quiet
    build build-asan -DCMAKE_BUILD_TYPE=Debug -DBLKMATRIX_SANITIZE=address,undefined
    build build-clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang -DBLKMATRIX_TESTS=OFF
    say "tests of the release build"
    # most tests wait for most of their time
    ctest --test-dir build --output-on-failure -j4 || failed=1
    say "the same under the sanitizers, but for lint and for figures that they would change"
    ctest --test-dir build-asan --output-on-failure -j4 -LE 'lint|figures' || failed=1
    return $failed
}
browser_package() { # Ubuntu's chromium is a snap, and none runs without snapd
    case $(apt-cache policy chromium 2>/dev/null) in
        *'Candidate: '[0-9]*) printf 'chromium          opens the reports' ;;
        *) printf 'chromium-browser  opens the reports' ;;
    esac
}
sanitizer_package() { # clang's runtime is a package of its own, named by its version
    local v
    v=$(clang -dumpversion | cut -d. -f1)
    printf 'libclang-rt-%s-dev  fuzzing with clang' "$v"
}

case ${1-} in
    test) shift; run_tests "$@" ;;
    -h | --help | help) usage ;;
    *) quick "$@" ;;
esac
