#!/bin/sh
# Threadgauge's launcher in an archive: starts the command line with the JDK that came along, or else with one of this
# machine. It needs neither Maven nor a network.
#
#   ./threadgauge [arguments]          see ./threadgauge --help
#
# Exit codes of its own: 64 for what only a source tree can do; 69 there is no JDK; 70 the launcher cannot read its own
# folder; all others are those of the program.
# Read THREADGAUGE_JVM_FOLDERS only in tests: folders, separated by colons, to search instead of the usual places.

set -u

needed_java=25
newline='
'
# What is built is what came along; the program itself says what did not.
built=

main() {
    find_root
    case ${1-} in
        build | test | dist)
            say "this is a download; $1 needs the sources."
            exit 64
            ;;
    esac
    if [ -x "$root/runtime/bin/java" ]; then
        JAVA_HOME=$root/runtime
        export JAVA_HOME
    else
        find_java
    fi
    start_program "$@"
}
