/**
 * Title of the placeholder article. In a file of its own, because the page head needs the title without the component.
 */
export const PLACEHOLDER_TITLE = 'An article in the making';
