// A player's page without a server, at a table (?table=, ?tournament=) or not: `hear` gives it a
// notice.

import { followNotices } from "/static/js/everywhere/notices.js";

const given = new URLSearchParams(location.search);
const table = given.get("table");
if (table) {
  const room = document.createElement("poker-table");
  room.dataset.table = table;
  room.dataset.tournament = given.get("tournament") ?? "";
  document.querySelector("main").append(room);
}
const line = Object.assign(new EventTarget(), {
  follow: (stream, handler) => {
    if (!stream.startsWith("user:")) return;
    window.hear = (event) => handler.events([event]);
    window.sits = (seats) => handler.snapshot({ seats });
    window.sells = (offers) => handler.snapshot({ seats: [], offers });
    window.waits = (starts) => handler.snapshot({ seats: [], starts });
  },
  leave: () => {},
});
followNotices(line, 14);
