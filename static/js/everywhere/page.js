// The entry of every page: clock, connection and its banner, notices, dialogs, failed requests.

import { startTicking } from "../shared/clock.js";
import { openDialogs } from "../shared/dialogs.js";
import { byId } from "../shared/dom.js";
import { tellFailures } from "../shared/failures.js";
import { toFault } from "../shared/focus.js";
import { line } from "../shared/socket.js";
import { keepApp } from "./installed_app.js";
import { watchLine } from "./line_banner.js";
import { followNotices } from "./notices.js";

const { user } = document.body.dataset;
const banner = byId("line-banner");
const needsLine = user || document.querySelector("[data-stream], poker-table");

startTicking();
openDialogs(byId("dialog-holder"));
tellFailures();
toFault();
if (needsLine) {
  watchLine(line(), banner);
  if (user) followNotices(line(), user);
}
keepApp(user);
