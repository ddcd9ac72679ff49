/** Returns whether a form has unsaved changes, by dispatching `beforeunload` without a prompt. */
export function hasUnsavedChanges(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
