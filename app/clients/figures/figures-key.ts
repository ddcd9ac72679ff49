/** Key prefix of all queries that read figures. Meetings are figures too. */
export const FIGURES_KEY = ['figures'];
