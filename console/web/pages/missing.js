// The page of an unknown address.

import { fillTop } from "./console.js";

fillTop("");
