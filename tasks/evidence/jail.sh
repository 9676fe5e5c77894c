#!/bin/sh
# Starts the browser in its jail. ZK_JAIL: the command that holds it; ZK_USER: who owns its profile, or empty; ZK_BROWSER: the executable.
for word do
  case $word in
    --user-data-dir=*)
      HOME=${word#*=} && TMPDIR=$HOME && export HOME TMPDIR
      if [ -n "$ZK_USER" ]; then chown -R "$ZK_USER:$ZK_USER" "$HOME" || exit 1; fi ;;
  esac
done
exec $ZK_JAIL "$ZK_BROWSER" "$@"
