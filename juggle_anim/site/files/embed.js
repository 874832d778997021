// A tag for other pages, <juggle-anim pattern="531">: its attributes are the settings of an address, and it shows the player
// of this site in a frame.

const SITE = new URL("./", import.meta.url);
const NOT_SETTINGS = ["class", "id", "style", "slot", "title", "loading", "hidden", "tabindex", "role", "part", "dir"];
const OTHER_WORDS = { siteswap: "pattern", props: "prop", handstyle: "style" }; // of gunswap, and for what HTML has itself

class JuggleAnim extends HTMLElement {
    connectedCallback() {
        const frame = document.createElement("iframe");
        Object.assign(frame, { allow: "fullscreen", loading: this.getAttribute("loading") ?? "lazy" });
        Object.assign(frame.style, { width: "100%", height: "100%", border: "0" });
        (this.shadowRoot ?? this.attachShadow({ mode: "open" })).replaceChildren(frame);
        if (!this.style.display) this.style.display = "block";
        if (!this.style.height) this.style.height = "480px";
        const show = () => {
            const settings = this.getAttributeNames().filter((name) => !NOT_SETTINGS.includes(name) && !name.startsWith("aria-"));
            const query = settings.map((name) => `${OTHER_WORDS[name] ?? name}=${encodeURIComponent(this.getAttribute(name))}`);
            frame.title = this.title || this.getAttribute("pattern") || "juggle-anim";
            frame.src = new URL(`?${query.join(";")}#player`, SITE);
        };
        this.watcher = new MutationObserver(show);
        this.watcher.observe(this, { attributes: true });
        show();
    }

    disconnectedCallback() {
        this.watcher.disconnect();
    }
}

customElements.define("juggle-anim", JuggleAnim);
