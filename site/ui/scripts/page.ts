import './copy.ts';
import './find.ts';
import './loading.ts';
import './menus.ts';
import './messages.ts';
import './theme.ts';
import './times.ts';
import './viewer.ts';
