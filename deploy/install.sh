#!/bin/sh
# Installs the condo portal on a bare server, or continues an installation that was interrupted:
#   sudo sh install.sh condo.example [--from FOLDER] [--keep-system] [--restore TARGET [--user KEY] [--at ID]]
# Everything is in functions that the last line calls, so half a download does nothing.
set -eu

# `npm run release` writes these three.
RELEASES=''
SIGNERS=''
RELEASED=''

WORK=/var/cache/condo-download

say() { printf '%s\n' "$*"; }
fail() {
  say "$*" >&2
  exit 1
}
usage() {
  say 'Usage: sh install.sh DOMAIN [--from FOLDER] [--keep-system] [--restore TARGET [--user KEY] [--at ID]]' >&2
  exit 2
}

# Runs a step and prints a line about it. Its output is in the log.
step() {
  title=$1
  shift
  began=$(date +%s)
  if "$@" >>"$LOG" 2>&1; then
    say "✓ $title ($(($(date +%s) - began)) s)"
  else
    say "✗ $title" >&2
    tail -n 5 "$LOG" >&2
    fail "Nothing is lost: mend this and run the same command again. The log: $LOG"
  fi
}

# Every fault of this machine, a line each.
faults() {
  [ "$(id -u)" = 0 ] || say 'Run it as root: sudo sh install.sh …'
  [ "$(uname -s)" = Linux ] || say "This is $(uname -s); the site runs on Linux."
  case $ARCH in x64 | arm64) ;; *) say "This machine is $(uname -m); there are releases for x64 and arm64." ;; esac
  # shellcheck source=/dev/null
  system=$( (. /etc/os-release && printf '%s %s' "$ID" "$VERSION_ID") 2>/dev/null || true)
  case $system in 'debian 12' | 'debian 13' | 'ubuntu 24.04') ;; *) say "This is ${system:-unknown}; Debian 12, Debian 13 or Ubuntu 24.04 is needed." ;; esac
  [ "$(cat /proc/1/comm)" = systemd ] || say 'systemd does not run here as process 1.'
  memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
  [ "$memory" -ge 900 ] || say "This machine has $memory MB of memory; 900 are needed."
  [ "$(date -u +%Y-%m-%d | tr -d -)" -ge "$(printf %s "$RELEASED" | tr -d -)" ] || say "This machine's clock says $(date -u '+%b %-d, %Y'). Set it."
  free=$(df -Pm /opt | awk 'NR == 2 { print $4 }')
  [ "$free" -ge 3000 ] || [ -e /opt/condo/sites/site ] || say "$free MB of disk are free; 3000 are needed."
  for port in 80 443; do
    user=$(ss -Hltnp "sport = :$port" | sed -n 's/.*users:(("\([^"]*\)",pid=\([0-9]*\).*/\1 (process \2)/p' | head -n 1)
    case $user in '' | caddy*) ;; *) say "Port $port is used by $user. Stop it, or use another machine." ;; esac
  done
}

packages() {
  apt-get update -q || say 'The lists of packages are not refreshed.'
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  wanted='caddy restic libatomic1 openssh-client ca-certificates curl iproute2'
  "$KEEP" || wanted="$wanted unattended-upgrades"
  [ "$(timedatectl show -p NTP --value 2>/dev/null)" = yes ] || "$KEEP" || wanted="$wanted systemd-timesyncd"
  # shellcheck disable=SC2086
  apt-get install -q -y --no-install-recommends $wanted
}

# Swap for a small machine, and a bound for the journal.
system() {
  if "$KEEP"; then return; fi
  if [ "$memory" -lt 1500 ] && [ "$(wc -l </proc/swaps)" -lt 2 ] && [ ! -e /swapfile ]; then
    # Some containers may not have swap, which is no reason to stop.
    if fallocate -l 1G /swapfile && chmod 600 /swapfile && mkswap /swapfile && swapon /swapfile; then
      echo '/swapfile none swap sw 0 0' >>/etc/fstab
    else
      rm -f /swapfile
      say 'No swap here.'
    fi
  fi
  mkdir -p /etc/systemd/journald.conf.d &&
    printf '[Journal]\nSystemMaxUse=200M\n' >/etc/systemd/journald.conf.d/condo.conf &&
    systemctl restart systemd-journald
}

# get FILE BYTES SECONDS: from the folder or the address, continuing half a download. At most so many bytes, whatever is
# sent, and not slower than 1 KB a second.
get() {
  if [ -n "$FROM" ]; then
    cp "$FROM/$1" "$WORK/$1"
  else
    (
      ulimit -f $(($2 / 512 + 1))
      exec curl -fsSL --proto '=https' --retry 3 --speed-limit 1000 --speed-time 60 --max-time "$3" -C - -o "$WORK/$1" "$RELEASES/$1"
    )
  fi
}

# The archive. A part of it continues; one that the server does not continue (22, 33, or 0 with a refused range) starts over
# once. A part as large as the archive goes.
download() {
  drop_whole
  part=false code=0
  [ ! -e "$WORK/$file" ] || part=true
  get "$file" "$bytes" 7200 || code=$?
  case $code in
  0 | 22 | 33)
    if "$part" && ! has_sum; then
      rm -f "$WORK/$file"
      code=0
      get "$file" "$bytes" 7200 || code=$?
    fi
    ;;
  esac
  [ "$code" = 0 ] || drop_whole
  return "$code"
}

drop_whole() {
  [ ! -e "$WORK/$file" ] || [ "$(wc -c <"$WORK/$file")" -lt "$bytes" ] || rm -f "$WORK/$file"
}

described() {
  rm -f "$WORK/$1" "$WORK/$1.sig"
  if ! get "$1" 65536 60 || ! get "$1.sig" 65536 60; then
    rm -f "$WORK/$1" "$WORK/$1.sig"
    return 1
  fi
}

signed() {
  printf '%s' "$SIGNERS" >"$WORK/signers"
  ssh-keygen -Y verify -f "$WORK/signers" -I condo-release -n condo-release -s "$WORK/$1.sig" <"$WORK/$1" >>"$LOG" 2>&1
}

unpack() {
  rm -rf "$target.part"
  mkdir -p "$target.part" &&
    tar -xzf "$WORK/$file" --strip-components=1 --no-same-owner -C "$target.part" &&
    (cd "$target.part" && sha256sum -c --quiet MANIFEST.sha256 && bin/condo selfcheck) &&
    sync && mv -T "$target.part" "$target"
}

# fetch DESCRIPTION: leaves the release in its folder. Nothing that was downloaded runs before signature and hash are
# right.
fetch() {
  install -d -m 700 "$WORK"
  step 'Description of the release' described "$1"
  signed "$1" || {
    rm -rf "$WORK"
    fail 'The signature of this release is wrong. Nothing was changed.'
  }
  version=$(sed -n 's/^version //p' "$WORK/$1")
  case $1 in
  latest.release | "condo-$version.release") ;;
  *) fail "$1 describes release $version. Nothing was changed." ;;
  esac
  target=/opt/condo/releases/$version
  if [ -n "$THAN" ] && [ "$(printf '%s\n' "$THAN" "$version" | sort -V | tail -n 1)" = "$THAN" ]; then
    fail "This is $THAN. To go back: condo rollback"
  fi
  oldest=$(sed -n 's/^upgrades-from //p' "$WORK/$1")
  if [ -n "$THAN" ] && [ "$(printf '%s\n' "$THAN" "$oldest" | sort -V | head -n 1)" != "$oldest" ]; then
    fail "Release $version upgrades $oldest and newer. Upgrade to $oldest first: condo upgrade $oldest"
  fi
  # shellcheck disable=SC2046
  set -- $(sed -n "s/^archive $ARCH //p" "$WORK/$1")
  [ $# = 3 ] || fail "There is no release $version for $ARCH."
  file=$1 bytes=$2 sum=$3
  if [ ! -e "$target" ]; then
    needed=$((bytes / 250000 + 100)) free=$(df -Pm /opt | awk 'NR == 2 { print $4 }')
    [ "$free" -ge "$needed" ] || fail "The release needs $needed MB; $free MB are free."
    has_sum || step "Release $version" download
    has_sum || {
      rm -f "$WORK/$file"
      fail 'The download is damaged. Run the command again.'
    }
    step 'Unpacked and checked' unpack
  fi
  rm -rf "$WORK"
  echo "$version" >/run/condo.fetched
}

has_sum() { [ "$(sha256sum "$WORK/$file" 2>/dev/null | cut -d ' ' -f 1)" = "$sum" ]; }

main() {
  DOMAIN='' FROM='' KEEP=false THAN='' RESTORE='' USER_KEY='' AT=''
  LOG=/var/log/condo-install.log
  case $(uname -m) in x86_64) ARCH=x64 ;; aarch64) ARCH=arm64 ;; *) ARCH=none ;; esac
  umask 022
  # `condo upgrade` uses this script to fetch: install.sh --fetch DESCRIPTION CURRENT FOLDER
  if [ "${1:-}" = --fetch ]; then
    THAN=$3 FROM=$4
    fetch "$2"
    return
  fi
  while [ $# -gt 0 ]; do
    case $1 in
    --from) FROM=$(readlink -f "${2:?}") && shift ;;
    --keep-system) KEEP=true ;;
    --restore) RESTORE=${2:?} && shift ;;
    --user) USER_KEY=${2:?} && shift ;;
    --at) AT=${2:?} && shift ;;
    -*) usage ;;
    *) DOMAIN=$1 ;;
    esac
    shift
  done
  printf '%s' "$DOMAIN" | grep -Eq '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$' || usage
  # Done, or interrupted after everything that this script does itself.
  if [ -e /etc/caddy/condo.d/site.caddy ] && [ -e /usr/local/sbin/condo ]; then
    exec condo install "$DOMAIN"
  fi
  found=$(faults)
  [ -z "$found" ] || fail "Nothing was changed:
$found"
  memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
  touch "$LOG"
  chmod 600 "$LOG"
  printf '%s %s\n' "$(date -u +%FT%TZ)" "$DOMAIN" >>"$LOG"
  step 'Packages of the distribution' packages
  step 'System' system
  fetch latest.release
  set -- install "$DOMAIN"
  [ -z "$FROM" ] || set -- "$@" --releases "$FROM"
  [ -z "$RESTORE" ] || set -- "$@" --restore "$RESTORE"
  [ -z "$USER_KEY" ] || set -- "$@" --user "$USER_KEY"
  [ -z "$AT" ] || set -- "$@" --at "$AT"
  exec "$target/bin/condo" "$@"
}

main "$@"
