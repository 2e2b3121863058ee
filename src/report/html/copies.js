// Buttons that copy a text of the page; without scripts they are hidden.
respinWaves.start();
document.querySelectorAll("button.copy").forEach((button) => {
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", () => {
    const text = document.getElementById(button.dataset.from).textContent;
    const told = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = label; }, 1500);
    };
    // A page from a file has no clipboard in some browsers: then the text is selected.
    const select = () => {
      const from = document.getElementById(button.dataset.from);
      const hidden = from.closest("details");
      if (hidden) hidden.open = true;
      getSelection().selectAllChildren(from);
      told(document.execCommand("copy") ? "Copied" : "Selected: press Ctrl-C");
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => told("Copied"), select);
    else select();
  });
});
