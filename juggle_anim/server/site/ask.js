// Answers come from the server that the page came from.

const DRAWN = ["gif", "mp4", "png", "svg", "jml", "jif", "routine", "glb", "json", "html"];

// What a question is answered with, as of JSON.
export async function ask(path, query) {
    const answer = await fetch(`${path}?${query}`);
    if (answer.ok) return answer.json();
    throw new Error((await answer.text()).trim());
}

// Facts about a pattern, and its curves while they are `wanted`. Another source may answer with a draft of the bodies if one
// is hurried, and with a function `plan` that asks for what they do as planned.
export async function shown(query, wanted) {
    const facts = await ask("facts", query);
    return { facts, curves: facts.valid && wanted() ? await ask("curves", query) : null };
}

// Endings of files that can be had.
export const endings = DRAWN;

// A file with this ending, as a blob.
export async function file(ending, query) {
    const answer = await fetch(`anim.${ending}?${query}`);
    if (answer.ok) return answer.blob();
    throw new Error((await answer.text()).trim());
}

// What a file that is sent is answered with: its patterns, or a file of patterns, as a blob.
export async function send(path, name, content) {
    const answer = await fetch(`${path}?name=${encodeURIComponent(name)}`, { method: "POST", body: content });
    if (answer.ok) return answer.blob();
    throw new Error((await answer.text()).trim());
}

// The address at which another page shows this pattern in a frame.
export const frame = (query) => `embed?${query}`;

// Called with the first player.
export function playing() {}

// Called with a function that tells of a newer version, and which then gets one that begins it.
export function onUpdate() {}
