/**
 * Tells whether closing the window would ask first, as it does while a form has unsaved changes. Nothing is asked here.
 */
export function hasUnsavedChanges(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
