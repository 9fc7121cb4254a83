#!/usr/bin/env bash
# tools/get_browser.sh BIN: see that there is a browser for the tests of pages; each way is tried three times.
# BIN is the folder of the Python that has playwright. Exits 1, with what to do, if there is none in the end.
set -uo pipefail
bin=$1

there() {
  command -v chromium || command -v chromium-browser || command -v google-chrome ||
    "$bin/python" -c '
import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    path = p.chromium.executable_path
print(path)
sys.exit(not os.path.exists(path))'
}

debian() {
  command -v apt-get >/dev/null || return 1
  local as=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
    as=(sudo -n)
  fi
  "${as[@]}" apt-get update -qq || true
  DEBIAN_FRONTEND=noninteractive "${as[@]}" apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1
}

own() {
  "$bin/python" -m playwright install chromium >/dev/null 2>&1 || return 1
  [ "$(id -u)" != 0 ] || "$bin/python" -m playwright install-deps chromium >/dev/null 2>&1 || true
}

for try in 1 2 3; do
  if found=$(there 2>/dev/null); then
    echo "browser for tests of pages: $(echo "$found" | tail -n 1)"
    exit 0
  fi
  echo "no browser yet (try $try of 3): asking the system's packages, then playwright"
  debian || own || sleep $((5 * try))
done
there >/dev/null 2>&1 && exit 0
echo "no browser could be installed; install chromium by hand, then run make browser again" >&2
exit 1
