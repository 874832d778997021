"""Write one loop of 531 as PNG frames, a second time with raised elbows as a video."""

import juggle_anim as ja

animation = ja.animate("531")
frames = ja.export(animation, "out/531", size=(320, 240), fps=30, force=True)
print(f"{len(frames)} frames, from {frames[0]} on")

raised = animation.replace(chicken_wing=75)
(video,) = ja.export(raised, "out/531-raised.mp4", size=(320, 240), fps=30, force=True)
print(video)
