// Share of the strip |x| <= radius under a blur around x = distance that fades out at `soft` from its middle.
float covered(float distance, float radius, float soft) {
    return smoothstep(-soft, soft, radius - distance) - smoothstep(-soft, soft, -radius - distance);
}
