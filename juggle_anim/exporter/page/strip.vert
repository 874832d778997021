// A strip across the whole picture, between two heights in clip coordinates.
precision highp float;
uniform vec4 heights;

void main() {
    gl_Position = vec4(float(gl_VertexID & 1) * 2.0 - 1.0, mix(heights.x, heights.y, float(gl_VertexID >> 1)), 0.0, 1.0);
}
