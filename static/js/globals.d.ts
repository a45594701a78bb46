// Names that pages have beside the modules: translations, htmx, and events without a type of their own.

interface Window {
  gettext?: (text: string) => string;
  ngettext?: (one: string, many: string, count: number) => string;
  htmx: { process(node: Element): void };
}

interface GlobalEventHandlersEventMap {
  "htmx:afterSwap": CustomEvent;
  "htmx:beforeSwap": CustomEvent;
  "htmx:responseError": CustomEvent;
  "htmx:sendError": CustomEvent;
  "room:mine": CustomEvent;
}

// Events of the connection (`Line`) and of the model of a table.
interface EventTarget {
  addEventListener(
    kind: "line" | "happened" | "snapshot",
    listener: (event: CustomEvent) => void,
  ): void;
}
