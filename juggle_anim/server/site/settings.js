// Settings and addresses: what is typed, turned and shared, by key; and elements of the page, which all its scripts use.

export const element = (id) => document.getElementById(id);

export const made = (kind, values) => Object.assign(document.createElement(kind), values);

// Settings from a query, by key in lower case; without a pattern, that of `first`.
export function read(query, first) {
    const settings = { pattern: first };
    query.split(/[;&]/).filter(Boolean).forEach((part, number) => {
        const [key, ...value] = part.includes("=") ? part.split("=") : number ? [part] : ["pattern", part];
        settings[plain(key).trim().toLowerCase()] = plain(value.join("="));
    });
    return settings;
}

function plain(text) {
    try {
        return decodeURIComponent(text.replace(/\+/g, " "));
    } catch {
        return text;
    }
}

// A query from settings.
export function written(settings) {
    return Object.entries(settings).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join(";");
}

// A text with its values in the place of their names in braces.
export function filled(text, values) {
    return text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
}
