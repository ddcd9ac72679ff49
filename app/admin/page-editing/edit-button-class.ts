/** Places the button beside the chat launcher. */
export const EDIT_BUTTON_CLASS =
  'fixed right-22 bottom-6.5 mb-(--preview-bar,0px) z-40 shadow-lg md:right-24 md:bottom-7.5 print:hidden';
