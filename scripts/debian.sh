# shellcheck shell=bash
# Functions for scripts that need programs of others: they read this file, it does nothing by itself.

install_lock=$(realpath "${BASH_SOURCE[0]}")

# Installs packages of Debian without a word. Fails where that is not possible.
install() {
    local sudo=''
    if [ "$(id -u)" != 0 ]; then
        sudo='sudo -n'
        $sudo true 2> /dev/null || return 1
    fi
    command -v apt-get > /dev/null || return 1
    # Of two scripts that install at the same time one waits: this file is their lock. What a package starts must not keep it.
    {
        flock 9
        $sudo apt-get update -qq 9>&-
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -qq -y --no-install-recommends "$@" > /dev/null 9>&-
    } 9< "$install_lock"
}
