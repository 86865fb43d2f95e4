// What a viewer has chosen, kept in this browser.

/** A row of buttons of which one is chosen; arrow keys go from one to the next. */
export class Choice {
  constructor(root, chosen, changed) {
    this.buttons = [...root.querySelectorAll("button")];
    this.changed = changed;
    this.show(chosen);
    root.addEventListener("click", (event) => this.choose(event.target.closest("button")));
    root.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const place = this.buttons.indexOf(document.activeElement) + step + this.buttons.length;
      const next = this.buttons[place % this.buttons.length];
      next.focus();
      this.choose(next);
    });
  }

  choose(button) {
    if (!button) return;
    this.show(button.dataset.value);
    this.changed(button.dataset.value);
  }

  show(value) {
    for (const button of this.buttons) {
      const isChosen = button.dataset.value === value;
      button.setAttribute("aria-checked", isChosen);
      button.tabIndex = isChosen ? 0 : -1;
    }
    if (!this.buttons.some((button) => button.tabIndex === 0)) this.buttons[0].tabIndex = 0;
  }
}

/** Where the browser keeps nothing, a choice holds as long as the page. */
export function remembered(name, otherwise) {
  try {
    return localStorage.getItem(`compass.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`compass.${name}`, value);
  } catch {
    // Private windows may refuse.
  }
}
