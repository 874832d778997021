// Runs before the page is there: on a later visit Python, which is soon ready then, begins at once.

// A worker with Python, and what waits until it is ready. Its `answer` takes what it says.
self.beginPython = () => {
    const started = new Worker("python.js", { type: "module", name: navigator.serviceWorker?.controller ? "served" : "" });
    const ready = new Promise((resolve) => {
        started.onmessage = ({ data }) => (data.to === 0 ? resolve() : started.answer(data));
    });
    return { started, ready };
};

if (navigator.serviceWorker?.controller) self.begun = self.beginPython();
