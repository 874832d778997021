// Width of a pixel at a distance from the plane of the eye.
float pixel_at(float distance) {
    return light.w * (up.w > 0.0 ? up.w : distance);
}

float depth_at(float distance) {
    return projection.z + (up.w > 0.0 ? projection.w * distance : projection.w / distance);
}
