/** Number of projects and of posts on the home page. */
export const HOME_ITEMS = 3;
