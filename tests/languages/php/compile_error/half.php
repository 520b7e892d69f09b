<?php
echo (
