// A form of the admin that makes or changes a row is sent once.

import { sendOnce } from "../shared/dialogs.js";

const DOUBLE_CLICK_MS = 2_000;

// A list stays on the page where one of its actions downloads a file: it can be sent again.
sendOnce(
  (form, event) => !event.defaultPrevented && form.method === "post",
  (form) => (form.id === "changelist-form" ? DOUBLE_CLICK_MS : 0),
);
