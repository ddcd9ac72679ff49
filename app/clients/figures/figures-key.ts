/** Key prefix of all queries that read figures. This includes meetings. */
export const FIGURES_KEY = ['figures'];
