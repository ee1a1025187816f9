#!/usr/bin/env bash
# Makes sure that there is a Chromium for the tests of the page: $CHROMIUM, or /usr/bin/chromium, which is installed if missing.
set -euo pipefail

if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  exit 0
fi
help() {
  echo "The page is tested in Chromium, but ${CHROMIUM:-/usr/bin/chromium} does not exist${1:+: $1}." >&2
  echo "Install Debian's package chromium, or set CHROMIUM to an installed Chromium or Chrome, then try again." >&2
  exit 1
}
[ -z "${CHROMIUM:-}" ] || help
command -v apt-get >/dev/null || help "this system has no apt-get"
as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || help "it cannot be installed without sudo"
  as_root=(sudo)
fi
echo "Installing Debian's package chromium for the tests of the page."
export DEBIAN_FRONTEND=noninteractive
install() { "${as_root[@]}" apt-get install -y --no-install-recommends chromium >/dev/null; }
install || { "${as_root[@]}" apt-get update >/dev/null && install; } || help "it could not be installed"
