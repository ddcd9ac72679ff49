/** The home page shows so many projects and so many posts. */
export const HOME_ITEMS = 3;
