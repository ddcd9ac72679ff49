/** Title of the placeholder article. In its own file, because the page head needs it without the component. */
export const PLACEHOLDER_TITLE = 'An article in the making';
