// The page that a link of another site opens first: it leads on to the page itself, with the view in the fragment.
location.replace("/" + location.hash);
