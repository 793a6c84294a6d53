#!/bin/sh
# Takes a picture of the board of `noughts play` in a terminal, after some keys.
#
#     scripts/play_screenshot.sh PICTURE "KEY ..." [OPTION ...]
#     scripts/play_screenshot.sh docs/play.png "Up Return h" --reverse --o person
#
# Keys have the names that xdotool knows; the options are those of `noughts play`. The program is target/release/noughts, or
# what NOUGHTS says; the terminal has 80x24 squares, or what GEOMETRY says; the picture is taken after 2 seconds, or WAIT.
# Needs Xvfb, xterm, xdotool, ImageMagick and a font (Debian: xvfb xterm xdotool imagemagick fonts-dejavu-core).
set -eu

picture=$1
keys=$2
shift 2

for program in Xvfb xterm xdotool import; do
    command -v "$program" >/dev/null || { echo "play_screenshot.sh needs $program" >&2; exit 1; }
done

folder=$(mktemp -d)
mkfifo "$folder/display"
Xvfb -displayfd 3 -screen 0 1280x1024x24 3>"$folder/display" 2>/dev/null &
server=$!
terminal=
trap 'kill $terminal "$server"; rm -r "$folder"' EXIT
read -r number <"$folder/display"
export DISPLAY=":$number"

xterm -fa 'DejaVu Sans Mono' -fs 12 -geometry "${GEOMETRY:-80x24}" -b 8 -bw 0 +sb -bg '#16181d' -fg '#d8dce4' -class Noughts \
    -xrm '*color8: #5c6370' -xrm '*color7: #d8dce4' -xrm '*color9: #ff7b85' -xrm '*color10: #98e07a' -xrm '*color11: #ffd479' \
    -xrm '*color13: #e39bff' -xrm '*color14: #6fd7e8' -e "${NOUGHTS:-target/release/noughts}" play "$@" &
terminal=$!
window=$(xdotool search --sync --onlyvisible --class Noughts | head -n 1)
xdotool windowfocus --sync "$window"
sleep 1
for key in $keys; do
    xdotool key "$key"
    sleep 0.2
done
# The hints of a large board take a moment.
sleep "${WAIT:-2}"
import -window "$window" "$picture"
