"""The arm laboratory: arms that follow a goal, and curves of shoulder, elbow and wrist."""
