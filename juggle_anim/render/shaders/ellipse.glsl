// Depth of a place inside an ellipse with these half-axes > 0, negative outside; exact near the edge.
float within(vec2 place, vec2 axes) {
    vec2 scaled = place / axes;
    float size = length(scaled);
    float steepness = size > 1e-4 ? length(scaled / axes) / size : 1.0 / axes.y;
    return (1.0 - size) / steepness;
}
