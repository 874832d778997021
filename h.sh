drag () 
{ 
    xdotool mousemove $1 $2;
    sleep 0.6;
    xdotool mousedown 1;
    sleep 0.4;
    for i in 1 2 3 4 5 6;
    do
        xdotool mousemove $(( $1 + ($3-$1)*i/6 )) $(( $2 + ($4-$2)*i/6 ));
        sleep 0.25;
    done;
    sleep 1;
    [ -n "$5" ] && shot $5;
    xdotool mouseup 1
}
