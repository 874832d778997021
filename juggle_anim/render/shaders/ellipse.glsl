// How deep a place lies within an ellipse with these half-axes, both above 0, less than 0 outside; exact near its line.
float within(vec2 place, vec2 axes) {
    vec2 scaled = place / axes;
    float size = length(scaled);
    float steepness = size > 1e-4 ? length(scaled / axes) / size : 1.0 / axes.y;
    return (1.0 - size) / steepness;
}
