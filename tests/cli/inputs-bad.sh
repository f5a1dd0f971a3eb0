# What is no input: each says what it is, and nothing is written.
mkdir folder
: >empty
echo 'step 12 loss 3.25' >log.txt
echo '{"weights": [1, 2]}' >weights.json
printf '\211PNG\r\n\032\n' >picture.png
printf 'PK\003\004' >checkpoint.pt
gzip -c empty >empty.gz
for file in missing folder empty empty.gz log.txt weights.json picture.png checkpoint.pt; do
	exits 3 "$MLVIZ" info $file
	exits 3 "$MLVIZ" timeline $file
done
# {"loss": 3, "step": 12}: a dict of something else, and a list of numbers
printf '\200\004}(\214\004lossK\003\214\004stepK\014u.' >other.pickle
printf '\200\004](K\001K\002e.' >list.pickle
exits 3 "$MLVIZ" info other.pickle
exits 3 "$MLVIZ" info list.pickle
# What others call a pickle may be read as one, and is none.
exits 3 "$MLVIZ" info --format torch-snapshot log.txt
ls
