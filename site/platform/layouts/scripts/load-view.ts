// without a stored choice there is nothing to report, and nothing to load
if (document.cookie.includes('consent=')) void import('./view.ts');

export {};
