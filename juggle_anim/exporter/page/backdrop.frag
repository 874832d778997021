// The empty stage, as it was drawn when it was last seen from elsewhere.
precision highp float;
precision highp sampler2D;
uniform sampler2D picture;
out vec4 colour;

void main() {
    // texelFetch takes twice as long where a processor draws.
    colour = texture(picture, gl_FragCoord.xy / vec2(textureSize(picture, 0)));
}
