<?php
require __DIR__ . "/add.php";
[$a, $b] = explode(" ", trim(fgets(STDIN)));
echo add($a, $b), "\n";
