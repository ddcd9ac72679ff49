/**
 * Picture beside the forms, prerendered by drawCover() of ui/cover-shapes.ts, because the drawing code is ten times as
 * large.
 */
export const SIGN_IN_COVER =
  '<path d="M0 0H800V500H0z" fill="var(--art-sky)"/><path d="M374 211L-617 74L-579 -92zM374 211L-439 -371L-329 ' +
  '-500zM374 211L-76 -682L82 -745zM374 211L391 -789L560 -772zM374 211L853 -667L995 -573zM374 211L1206 -343L1288' +
  ' -194zM374 211L1369 107L1372 277z" fill="var(--art-far)"/><g fill="none" stroke="var(--art-arc)" stroke-widt' +
  'h="1.5"><circle cx="374" cy="211" r="38" opacity="0.85"/><circle cx="374" cy="211" r="62" opacity="0.68"/><c' +
  'ircle cx="374" cy="211" r="86" opacity="0.51"/><circle cx="374" cy="211" r="110" opacity="0.34"/></g><path d' +
  '="M0 372H800V500H0z" fill="var(--art-mid)"/><path d="M713 388h93M224 388h44M399 403h59M504 403h47M288 418h33' +
  'M392 418h88M146 433h32M83 433h67M708 448h106M560 448h85M714 463h90M746 463h111M86 478h86M258 478h89M690 493h' +
  '120M691 493h79" stroke="var(--art-line)" stroke-width="2" stroke-linecap="round" opacity="0.5"/><path d="M26' +
  '4 386L319 342L348 324H398L433 350L473 386zM359 326L365 225H383L389 326z" fill="var(--art-near)"/><circle cx=' +
  '"374" cy="211" r="17" fill="var(--art-sun)"/>';
