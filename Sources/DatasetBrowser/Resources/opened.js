// Leads from the page that a link of another site opens to the page itself, with the view in the fragment.
location.replace("/" + location.hash);
