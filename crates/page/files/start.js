// The first steps of the page without a server. Not a module, because a browser loads no modules for a page
// that is opened as a file.

if (location.protocol === "file:") {
  addEventListener("DOMContentLoaded", () => {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.textContent =
      "A browser does not let a page that is opened as a file load its engine. Put the folder on any web server, or run " +
      "“python3 -m http.server” in it and open http://localhost:8000.";
    document.querySelector("main").before(notice);
    document.querySelector("#status").textContent = "Not started";
  });
} else if ("serviceWorker" in navigator) {
  // Where browsers refuse it (http, private windows), the page works, but not without a network.
  addEventListener("load", () => navigator.serviceWorker.register("service-worker.js").catch(() => {}));
}
