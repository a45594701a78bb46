// A form of the admin that makes or changes a row is sent once.

import { sendOnce } from "../shared/dialogs.js";

// Lists have another form: it stays on the page where an action downloads a file.
sendOnce(
  (form, event) => !event.defaultPrevented && form.method === "post" && form.id.endsWith("_form"),
);
