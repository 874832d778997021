// The page plays as soon as it is there.

try {
    connect(play(element("picture")));
    window.player = player;
} catch (error) {
    // WebGL 2 is missing.
    document.body.classList.add("failed");
    throw error;
}
