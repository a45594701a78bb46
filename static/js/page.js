// Every page: the clock, the line and its banner, notices, dialogs, requests that failed.

import { startTicking } from "./clock.js";
import { openDialogs } from "./dialogs.js";
import { tellFailures } from "./failures.js";
import { watchLine } from "./line_banner.js";
import { followNotices } from "./notices.js";
import { line } from "./socket.js";

const { user } = document.body.dataset;
const banner = document.getElementById("line-banner");
const needsLine = user || document.querySelector("[data-stream], poker-table");

startTicking();
openDialogs(document.getElementById("dialog-holder"));
tellFailures();
if (needsLine) {
  watchLine(line(), banner);
  if (user) followNotices(line(), user);
}
