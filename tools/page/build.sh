#!/usr/bin/env bash
# Build the vendored libraries of report pages anew from the npm registry: tools/page/build.sh
# Versions are pinned in package.json and, with hashes, in package-lock.json. Needs node and npm; nothing else does.
set -euo pipefail
cd "$(dirname "$0")"
out=../../src/fairlead/view/page/static/vendor
npm ci --no-audit --no-fund
npx esbuild vendor.js --bundle --minify --format=iife --global-name=Vendor --target=es2021 --legal-comments=none \
  --outfile="$out/vendor.min.js"
cp node_modules/uplot/dist/uPlot.min.css "$out/uPlot.min.css"
{
  echo "vendor.min.js holds parts of two libraries, unchanged but for leaving out what pages do not use."
  for name in three uplot; do
    echo; echo "== $name $(node -p "require('./node_modules/$name/package.json').version") =="; echo
    cat "node_modules/$name/LICENSE"
  done
} > "$out/LICENSES.txt"
! grep -q '</script' "$out/vendor.min.js" || { echo "the bundle would end its script element"; exit 1; }
ls -l "$out"
