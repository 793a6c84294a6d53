// The ways to share a game: the link to what is shown, and a picture of the board.

import { element, find, say } from "./dom.js";
import { boardPicture } from "./picture.js";

const SHOWN_MS = 2000;

/** `link` tells the address of what is shown, `name` what the file of a picture is called. */
export function offerSharing({ link, name }) {
  const button = find("#copy-link");
  button.addEventListener("click", async () => {
    const isCopied = await copy(link());
    say(button, isCopied ? "Copied" : "Not copied");
    setTimeout(() => say(button, "Copy link"), SHOWN_MS);
  });
  find("#save-picture").addEventListener("click", () => {
    const text = new XMLSerializer().serializeToString(boardPicture(find("#board .grid")));
    const href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    element("a", { href, download: `${name()}.svg` }).click();
    setTimeout(() => URL.revokeObjectURL(href), SHOWN_MS);
  });
}

/** Browsers hand out the clipboard only to pages of this machine or over https; to others they allow to copy a selection. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = element("textarea", { value: text, className: "quiet" });
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}
