/**
 * Title of the placeholder article. It is in a separate file, because the page head needs the title without the
 * component.
 */
export const PLACEHOLDER_TITLE = 'An article in the making';
