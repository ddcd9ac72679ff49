/**
 * Keeps presses of buttons that React does not hear yet, and does each once when it hears them: between the first paint
 * and the script, and in sections whose code comes later. Enter in a field is such a press too, because the browser
 * clicks the form's button for it. Forms with an address work by themselves, as links do.
 *
 * React must not see a kept press: once it listens at the document it reads the pressed part at once and does the press
 * itself. Done twice, pausing the hero was undone before anybody saw it.
 *
 * React names the elements that it has taken over by a property of its own. An element that is gone, or that nobody took
 * over within a minute, is forgotten: by then the person has pressed something else.
 */
export const PRESSES_SCRIPT = `
{
  const presses = new Map();
  const isHeard = (button) => Object.keys(button).some((key) => key.startsWith('__reactProps'));
  const doHeard = () => {
    for (const [button, until] of presses) {
      if (button.isConnected && !isHeard(button) && Date.now() < until) continue;
      presses.delete(button);
      if (isHeard(button)) button.click();
    }
    if (presses.size > 0) setTimeout(doHeard, 50);
  };
  addEventListener('click', (event) => {
    const button = event.target.closest?.('button');
    if (!button || event.defaultPrevented || isHeard(button) || button.form?.hasAttribute('action')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (presses.size === 0) setTimeout(doHeard, 50);
    if (!presses.has(button)) presses.set(button, Date.now() + 60000);
  }, true);
}`;
