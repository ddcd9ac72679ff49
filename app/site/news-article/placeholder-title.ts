/** Title in a file of its own, because the head of the page needs it without the code of the page. */
export const PLACEHOLDER_TITLE = 'An article in the making';
