// The linear colour of a tone: black at -1, the sRGB colour itself at 0, white at 1.
vec3 tone_of(vec3 colour, float tone) {
    vec3 toned = tone < 0.0 ? colour * (1.0 + tone) : mix(colour, vec3(1.0), tone);
    return toned * toned;
}
