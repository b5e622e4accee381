#!/usr/bin/env bash
exec "$SRC/perfblock/ossfuzz/build.sh"
