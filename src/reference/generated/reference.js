/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var g,Je,an,I,ve,re,Ke,Z,Ye,Ee,xe,ln,F=Symbol.for("pv"),oe={},se=[],cn=/^m(i|n|o|s|text|space)$/,we=Array.isArray,We=se.slice,q=Object.assign;function M(e){e&&e.parentNode&&e.remove()}function ee(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:F,__v:o||++Je,__i:-1,__u:0};return!o&&g.vnode&&g.vnode(s),s}function A(e){return e.children}function te(e,t){this.props=e,this.context=t,this.__g=0}function O(e,t){if(t==null)return e.__&&O(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:O(e)}function un(e){var t,n=e.__v,r=n.__e,o=[],s=[],i=e.__P;i&&((t=q({constructor:F},n)).__v=n.__v+1,g.vnode&&g.vnode(t),Ae(i,t,n,e.__n,i.namespaceURI,32&n.__u?[r]:null,o,r||O(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,tt(o,t,s),n.__=n.__e=null,t.__e!=r&&ze(t))}function ze(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ze(e)}function Ve(e){(8&e.__g||(e.__g|=8,I.push(e),re++))&&ve==g.debounceRendering||((ve=g.debounceRendering)||queueMicrotask)(Xe)}function Xe(){try{for(var e,t=1;I.length;)I.length>t&&I.sort(Ke),e=I.shift(),t=I.length,8&e.__g&&un(e)}finally{(re=I.length)&&(ve||queueMicrotask)(Xe)}}function Qe(e,t,n,r,o,s,i,a,p,d,c){var m,_,l,f,E,y,b=r.__k||se,h=t.length;for(p=pn(n,t,b,p,h),m=0;m<h;m++)(l=n.__k[m])!=null&&(_=~l.__i&&b[l.__i]||oe,l.__i=m,y=Ae(e,l,_,o,s,i,a,p,d,c),f=l.__e,(_.ref!=l.ref||8&_.__u)&&(_.ref&&Te(_.ref,null,l,_),l.ref&&c.push(l.ref,l.__c||f,l)),E=E||f,4&l.__u?(p=Ze(l,p,e,!_.__v),_.__e&&(_.__e=null)):typeof l.type=="function"&&y!==void 0?p=y:f&&(p=f.nextSibling),l.__u&=-21);return n.__e=E,p}function pn(e,t,n,r,o){var s,i,a,p,d,c,m,_,l,f=n.length,E=f,y=0,b=0,h=e.__k=Array(o);for(s=0;s<o;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=h[s]=ee(null,i):we(i)?i=h[s]=ee(A,{children:i}):i.constructor===F&&i.__b?i=h[s]=ee(i.type,i.props,i.key,i.ref,i.__v):h[s]=i,p=s+y,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=dn(i,n,p,E))&&(E--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==p-1?y--:d==p+1?y++:d!=p&&(d>p?y--:y++,b=1)):(~d||(o>f?y--:o<f&&y++),typeof i.type!="function"&&(i.__u|=4))):h[s]=null;if(b){for(c=[],m=[],s=0;s<o;s++)if((i=h[s])&&16&i.__u){for(y=0,_=c.length;y<_;)c[l=y+_>>1]<i.__i?y=l+1:_=l;c[y]=i.__i,m[s]=y+1}for(y=c.length;s--;)m[s]&&(m[s]==y?y--:h[s].__u|=4)}if(E)for(s=0;s<f;s++)!(a=n[s])||2&a.__u||(a.__e==r&&(r=O(a)),ke(a,a));return r}function Ze(e,t,n,r){var o,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=Ze(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=O(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!r&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function dn(e,t,n,r){var o,{key:s,type:i}=e,a=t[n],p=a&&!(2&a.__u);if(a===null&&s==null||p&&s==a.key&&i==a.type)return n;if(r>(p?1:0)){for(o=n-1;o>=0;o--)if((a=t[o])&&!(2&a.__u)&&s==a.key&&i==a.type)return o;for(o=n+1;o<t.length;o++)if((a=t[o])&&!(2&a.__u)&&s==a.key&&i==a.type)return o}return-1}function Ge(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Q(e,t,n,r,o){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Ge(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Ge(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(i=xe[t]||(xe[t]=_n(t)),(e.__a||(e.__a={}))[t]=Ee,s=t!=(t=t.replace(Ye,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(a){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function _n(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Z]==null)t[Z]=Ee++;else if(t[Z]<this.__a[e])return;return n(g.event?g.event(t):t)}}}function Ae(e,t,n,r,o,s,i,a,p,d){var c,m,_,l,f,E,y,b,h,w,S,Se,Fe,X,N,je,P,L,R=t.type;if(t.constructor!==F)return null;128&n.__u&&(p=32&n.__u,c=n.__c.__z)&&(t.__u|=p,m=s=[],c.nodeType==8?a=ne(c,s):s.push(c),a=s[0]||a),(c=g.__b)&&c(t);e:if(typeof R=="function"){_=i.length;try{if(b=t.props,h=(c=R.prototype)&&c.render,w=(c=R.contextType)&&r[c.__c],S=c?w?w.props.value:c.__:r,(l=n.__c)?(t.__c=l,2&l.__g&&(l.__g|=1)):(h?t.__c=l=new R(b,S):(t.__c=l=new te(b,S),l.constructor=R,l.render=mn),w&&w.sub(l),l.state||(l.state={}),l.__n=r,l.__g|=8,l.__h=[],l.__k=[]),h&&(l.__s||(l.__s=l.state),R.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=q({},l.__s)),q(l.__s,R.getDerivedStateFromProps(b,l.__s)))),f=l.props,E=l.state,l.__v=t,n.__c){if(b!==f&&h&&!R.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(b,S),t.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(b,l.__s,S)===!1){t.__v!=n.__v&&(l.props=b,l.state=l.__s,l.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(k){k&&(k.__=t)}),se.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&i.push(l),a=O(n);break e}l.componentWillUpdate&&l.componentWillUpdate(b,l.__s,S),h&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(f,E,y)})}else h&&!R.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),h&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=S,l.props=b,l.__P=e,l.__g&=-5,Se=g.__r,Fe=h?25:0;do l.__g&=-9,Se&&Se(t),c=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++Fe<25);h&&(se.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(r=q({},r,l.getChildContext())),h&&n.__c&&l.getSnapshotBeforeUpdate&&(y=l.getSnapshotBeforeUpdate(f,E)),X=c&&c.type===A&&c.key==null?c.props.children:c,b.__P&&(c=a,o=(e=b.__P).namespaceURI,p=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(k){k&&ke(k,k)}),n.__k=null),a=n.__k?O(n,0):null),a=Qe(e,we(X)?X:[X],t,n,r,o,s,i,a,p,d),b.__P&&(t.__e=null,a=c),t.__u&=-161,m&&m.some(M),l.__h.length&&i.push(l),1&l.__g&&(l.__g&=-4)}catch(k){if(i.length=_,t.__v=null,p||s)if(k&&k.then){if(t.__u|=128|p,s){for(~(P=s.indexOf(a||void 0))||(P=s.length);(L=s[P-1])&&L.nodeType==8;)P--;for(;P<s.length;P++)if(L=s[P])if(s[P]=null,N){if(L==je)break}else{if(L.nodeType!=8)break;L.data.startsWith("$s")&&(je=ne(N=L))}}if(!N){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;N=a}(c=ne(N=t.__c.__z||(t.__c.__z=N)))?(t.__e=N,a=c):t.__e=a,a=a&&a.nextSibling}else s&&s.some(M);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),k&&k.then||et(t),g.__e(k,t,n)}}else a=t.__e=fn(n.__e,t,n,r,o,s,i,p,d,e);return(c=g.diffed)&&c(t),a}function ne(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function et(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(et))}function tt(e,t,n){for(var r=0;r<n.length;)Te(n[r++],n[r++],n[r++]);g.__c&&g.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){g.__e(s,o.__v)}})}function fn(e,t,n,r,o,s,i,a,p,d){var c,m,_,l,f,E,y,b,h=n.props||oe,{props:w,type:S}=t;if(S=="svg"?o="http://www.w3.org/2000/svg":S=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(c=0;c<s.length;c++)if((f=s[c])&&(S?f.localName==S:f.nodeType==3)){e=f,s[c]=null;break}}if(!e){if(b=d.ownerDocument||document,!S)return b.createTextNode(w);e=b.createElementNS(o,S,w.is?w:d),a&&(g.__m&&g.__m(t,s),a=!1),s=null}if(S){if(d=S=="template"&&e.content||e,s=S=="textarea"&&w.defaultValue!=null?null:s&&We.call(d.childNodes),!a&&s)for(h={},c=0;c<e.attributes.length;c++)h[(f=e.attributes[c]).name]=f.value;for(c in h)f=h[c],c=="dangerouslySetInnerHTML"?_=f:c=="children"||(c in w)||c=="value"&&("defaultValue"in w)||c=="checked"&&("defaultChecked"in w)||Q(e,c,null,f,o);for(c in w)f=w[c],c=="children"?l=f:c=="dangerouslySetInnerHTML"?m=f:c=="value"?E=f:c=="checked"?y=f:a&&typeof f!="function"||h[c]===f||Q(e,c,f,h[c],o);m?(a||_&&(m.__html==_.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(_&&(e.textContent=""),(S=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&cn.test(S))&&(o="http://www.w3.org/1999/xhtml"),Qe(d,we(l)?l:[l],t,n,r,o,s,i,s?s[0]:n.__k&&O(n,0),a,p),s&&s.some(M)),a&&S!="textarea"||(c="value",S=="progress"&&E==null?e.removeAttribute(c):E==null||E===e[c]&&(S!="progress"||E)||Q(e,c,E,h[c],o),c="checked",y!=null&&y!=e[c]&&Q(e,c,y,h[c],o))}else h===w||a&&e.data==w||(e.data=w);return e}function Te(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){g.__e(o,n)}}function ke(e,t,n){var r,o,s,i;if(g.unmount&&g.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Te(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){g.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&ke(r[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=ne(r,s=[]))&&(r==e.__e&&s.some(M),M(o),M(r)),n||M(e.__e),e.__e=e.__c=e.__=null}function mn(e,t,n){return this.constructor(e,n)}function hn(e,t){var n,r,o,s;g.__&&g.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ee(A,{children:[e]}),o=[],s=[],Ae(t,t.__k,r||oe,oe,t.namespaceURI,r?null:t.firstChild?We.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),tt(o,t.__k,s),t.__k.props.children=null}function nt(e,t){e&&typeof e=="object"&&(e.__u|=32),hn(e,t)}g={__e:function(e,t,n,r){for(var o,s,i;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(a){e=a}}throw re=0,e}},Je=0,an=function(e){return e!=null&&e.constructor===F},te.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=q({},this.state)),typeof e=="function"&&(e=e(q({},n),this.props)),e&&(q(n,e),this.__v&&(t&&this.__k.push(t),Ve(this)))},te.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ve(this))},te.prototype.render=A,I=[],re=0,Ke=function(e,t){return e.__v.__b-t.__v.__b},Z=Symbol(),Ye=/(PointerCapture)$|Capture$/i,Ee=0,xe={},ln=0;var V,x,Re,rt,Ce=Object.is,ie=0,dt=[],Pe=[],v=g,{__b:ot,__r:st,diffed:it,__c:at,unmount:lt,__:ct}=v;function Oe(e,t){v.__h&&v.__h(x,e,ie||t),ie=0;var n=x.__H||(x.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function T(e){return ie=1,gn(ft,e)}function gn(e,t,n){var r=Oe(V++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ft(void 0,t),function(s){var i=(r.__N||r.__)[0],a=r.t(i,s);Ce(i,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=x,!x.__f)){x.__f=!0;var o=x.shouldComponentUpdate;x.shouldComponentUpdate=function(s,i,a){var p=this.__H;if(!p)return!0;var d=!1,c=this.props!=s;if(p.__.some(function(_){_.__N&&(d=!0,Ce(_.__[0],_.__N[0])||(c=!0))}),o){var m=o.call(this,s,i,a);return d?m||c:m}return!d||c}}return r.__}function H(e,t){var n=Oe(V++,4);!v.__s&&_t(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,x.__h.push(n))}function ae(e){return ie=5,yn(function(){return{current:e}},[])}function yn(e,t){var n=Oe(V++,7);return _t(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function bn(){var e;do{for(;e=Pe.shift();)try{j(e)}catch(n){v.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=dt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(j),t.__h.some(Ie),t.__h=[]}catch(n){t.__h=[],v.__e(n,e.__v)}}}while(Pe.length)}v.__b=function(e){x=null,ot&&ot(e)},v.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ct&&ct(e,t)},v.__r=function(e){st&&st(e),V=0;var t=(x=e.__c).__H;t&&(Re==x?x.__h=[]:(t.__h.some(j),t.__h.some(Ie),V=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Re=x},v.diffed=function(e){it&&it(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&pt(dt.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Re=x=null},v.__c=function(e,t){t.some(function(n){try{n.__h.some(j),n.__h=n.__h.filter(function(r){return!r.__||Ie(r)})}catch(r){n.__h=[function(){throw r}]}}),at&&at(e,t)},v.unmount=function(e){lt&&lt(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,pt(Pe.push(o))}else j(o)}catch(s){t=s}}),r.__H=void 0,t&&v.__e(t,r.__v))};var ut=typeof requestAnimationFrame=="function";function Sn(e){var t,n=function(){clearTimeout(r),ut&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);ut&&(t=requestAnimationFrame(n))}function pt(e){e!=1&&rt==v.requestAnimationFrame||((rt=v.requestAnimationFrame)||Sn)(bn)}function j(e){var t=x,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),x=t}function Ie(e){var t=x;e.__c=e.__(),x=t}function _t(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Ce(n,e[r])})}function ft(e,t){return typeof t=="function"?t(e):t}var G="/v1";var le="/docs/errors";var mt="/docs/changes";var ht="/docs/search.json",gt="/docs/search.js";var yt="/client.tgz",vr={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${G}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var vn=Symbol.for("pv"),xn=0;function u(e,t,n,r,o,s){t||(t={});var i,a,p=t;if("ref"in p&&typeof e!="function")for(a in p={},t)a=="ref"?i=t[a]:p[a]=t[a];var d={type:e,props:p,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:vn,__v:--xn,__i:-1,__u:0};return(o||s)&&(d.__source=o,d.__self=s),g.vnode&&g.vnode(d),d}function J({language:e,code:t}){return u("pre",{class:"code",tabIndex:0,children:u("code",{children:An(e,t).map(({kind:n,text:r})=>n===void 0?r:u("span",{class:`code-${n}`,children:r}))})})}function ce({what:e="code"}){return u("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",u("span",{class:"hidden",children:[" ",e]})]})}var En=Ne({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?<=^|\s)(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),bt=Ne({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),wn={curl:bt,sh:bt,http:Ne({name:/^[\w-]+(?=:)/})};function Ne(e){let t=Object.entries(e).map(([n,{source:r}])=>`(?<${n}>${r})`);return new RegExp(t.join("|"),"gm")}function An(e,t){let n=[],r=0;for(let{0:o,index:s,groups:i={}}of t.matchAll(wn[e]??En)){if(o==="")continue;if(s>r)n.push({text:t.slice(r,s)});n.push({kind:Object.keys(i).find((a)=>i[a]!==void 0),text:o}),r=s+o.length}if(r<t.length)n.push({text:t.slice(r)});return n}function ue(e){return`'${e.replaceAll("'","'\\''")}'`}var St=`# curl

## A request

\`\`\`sh
curl -X {{methodAndUrl}} \\
  -i --fail-with-body \\
  {{options}} \\
  {{lastOption}}
\`\`\`

## Every page

\`\`\`sh
url={{url}}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done
\`\`\`

## A request with retries

\`\`\`sh
send() {
  curl -X {{methodAndUrl}} \\
    -isS -m 30 -w '\\n%{http_code}' \\
    {{options}} \\
    {{lastOption}}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | {{retried}}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]
\`\`\`
`;var vt=`# JavaScript

## A request

\`\`\`js
const response = await fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);
\`\`\`

## Every page

\`\`\`js
let url = {{url}};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}
\`\`\`

## A request with retries

\`\`\`js
const send = () => fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
  signal: AbortSignal.timeout(30_000),
});

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [{{retried}}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
\`\`\`
`;var xt=`# Go

## A request

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	{{bodyPackage}}
)

func main() {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}
\`\`\`

## Every page

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := {{url}}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}
\`\`\`

## A request with retries

\`\`\`go
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	{{bodyPackage}}
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		return wait, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := client.Do(request)
	if err != nil {
		return wait, err
	}
	defer response.Body.Close()
	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)

	body, err := io.ReadAll(response.Body)
	if err != nil {
		return wait, err
	}
	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case {{retried}}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}
\`\`\`
`;var Et=`# Python

## A request

\`\`\`python
import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")
\`\`\`

## Every page

\`\`\`python
import json
import os
import re
import urllib.error
import urllib.request

url = {{url}}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]
\`\`\`

## A request with retries

\`\`\`python
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in ({{retried}}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)
\`\`\`
`;var Tt=-(2n**63n),kt=2n**63n-1n,Nr=`must be an integer from ${Tt} to ${kt}`,Pn=/^(?:0|-?[1-9][0-9]{0,18})$/,In=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;var wt=/[1-9]/;function At(e){if(!Pn.test(e))return;let t=BigInt(e);return t>=Tt&&t<=kt?t:void 0}function Rt(e){let t=At(e);if(t!==void 0)return t;let n=In.exec(e),[,r,o="",s="",i="0"]=n,a=o+s,p=a.search(wt);if(p===-1)return 0n;let d=o.length+Number(i);if(d<=p||d-p>19||wt.test(a.slice(d)))return;return At(r+a.slice(p,d).padEnd(d-p,"0"))}class de extends Error{name="JsonSyntaxError"}var Ct=64,On=1000,$e=34,Nn=92,Ln=32,$n=57,Le=/[ \n\r\t]*/y,It="\\u0000-\\u001F",Pt=new RegExp(`[${It}]`,"g"),Mn=new RegExp(`[\\\\${It}]`),pe=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function Ot(e,t=1/0){return new Nt(e,t).parse()}class Nt{text;maxValues;#e=0;#a=-1;constructor(e,t){this.text=e;this.maxValues=t}parse(){let e=this.#o(1);if(this.#e<this.text.length)this.#n("expected the end");return e}#n(e){throw new de(`is not valid JSON: ${e} at character ${this.#e+1}`)}#r(){if(this.text.charCodeAt(this.#e)>Ln)return;Le.lastIndex=this.#e,Le.test(this.text),this.#e=Le.lastIndex}#t(e){if(!this.text.startsWith(e,this.#e))return!1;return this.#e+=e.length,!0}#s(){let e=this.text,t=this.#e,n=e.indexOf('"',t+1);if(qn(e,n))n=Hn(e,n+1);if(n===-1)this.#i(t,e.length,"a string has no end");this.#e=n+1;let r=e.slice(t+1,n);if(!Mn.test(r))return r;try{return JSON.parse(e.slice(t,this.#e))}catch{return this.#i(t,this.#e,"a string has an invalid escape")}}#i(e,t,n){Pt.lastIndex=e;let r=Pt.exec(this.text)?.index??t;this.#e=Math.min(r,t),this.#n(r<t?"a string has an unescaped control character":n)}#l(){if(pe.lastIndex=this.#e,!pe.test(this.text))this.#n("expected a value");let e=this.text.slice(this.#e,pe.lastIndex);return this.#e=pe.lastIndex,Rt(e)??(e.length>On?Number.NaN:Number(e))}#c(e){let t=[];if(this.#r(),this.#t("]"))return t;do t.push(this.#o(e));while(this.#t(","));if(!this.#t("]"))this.#n('expected "," or "]"');return t}#u(e){let t=Object.create(null);if(this.#r(),this.#t("}"))return t;do{if(this.#r(),this.text.charCodeAt(this.#e)!==$e)this.#n("expected the name of a field in double quotes");let n=this.#e,r=this.#s();if(r in t)this.#e=n,this.#n("a field is repeated");if(this.#r(),!this.#t(":"))this.#n('expected ":"');t[r]=this.#o(e)}while(this.#t(","));if(!this.#t("}"))this.#n('expected "," or "}"');return t}#o(e){if(e>Ct)throw new de(`is nested deeper than ${Ct} levels`);if(++this.#a>this.maxValues)throw new de(`has more than ${this.maxValues} values`);this.#r();let t,n=this.text.charCodeAt(this.#e);if(n===$e)t=this.#s();else if(n<=$n)t=this.#l();else if(this.#t("{"))t=this.#u(e+1);else if(this.#t("["))t=this.#c(e+1);else if(this.#t("true"))t=!0;else if(this.#t("false"))t=!1;else if(this.#t("null"))t=null;else this.#n("expected a value");return this.#r(),t}}function qn(e,t){let n=t;while(e[n-1]==="\\")n--;return(t-n)%2===1}function Hn(e,t){for(let n=t;n<e.length;n++){let r=e.charCodeAt(n);if(r===$e)return n;if(r===Nn)n++}return-1}function _e(e,t){return JSON.stringify(e,(n,r)=>Un(r),t)}function Un(e){if(typeof e!=="bigint")return e;let t=Number(e);return Number.isSafeInteger(t)?t:JSON.rawJSON(String(e))}var Me=[408,429,502,503,504];function K({baseUrl:e,path:t,values:n}){let r=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),o=new URLSearchParams(n.query);return`${e}${r}${o.size>0?`?${o}`:""}`}function U({values:e,otherBody:t}){return t??(e.body&&_e(e.body))}function Y(e){let t=Object.entries(e.values.header);if(U(e)!==void 0)t.push(["Content-Type","application/json"]);return t}var fe=/^-?(?:0|[1-9][0-9]*)$/,Dn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function W(e){return JSON.stringify(e).replace(Dn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function C(e){return`'${W(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var Lt=B("curl","curl",St,(e)=>{let t=U(e),n=['-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...Y(e).map((o)=>`-H ${ue(o.join(": "))}`)];if(t!==void 0)n.push(`--data-raw ${ue(t)}`);let r=ue(K(e));return{url:r,retried:Me.join(" | "),methodAndUrl:`${e.method} ${r}`,options:n.slice(0,-1),lastOption:n.slice(-1)}}),me=B("fetch","JavaScript",vt,(e)=>qe(e,C)),$t=B("python","Python",Et,(e)=>qe(e,W)),Mt=B("go","Go",xt,(e)=>{let t=U(e);return{...qe(e,W,", "),bodyPackage:t===void 0?[]:'"strings"',bodyReader:t===void 0?"nil":`strings.NewReader(${Bn(t)})`}});function qe(e,t,n=": "){let r=U(e);return{url:t(K(e)),headers:Y(e).map((o)=>o.map(t).join(n)),body:r===void 0?[]:C(r)}}function Bn(e){let t=W(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}function B(e,t,n,r){let o=Array.from(n.matchAll(/^```\w+\n(.*?)\n```$/gms),([,p=""])=>p),[s,i,a]=o.map((p)=>(d)=>{let{method:c}=d;return Fn(p,{method:c,retried:Me.join(", "),...r(d)})});return{id:e,title:t,request:s,pageLoop:i,retryLoop:a}}function Fn(e,t){return e.split(`
`).flatMap((r)=>{let[o,s]=/\{\{(\w+)\}\}/.exec(r)??[];if(o===void 0||s===void 0)return r;let i=t[s];if(i===void 0)throw Error(`The sample has no value for ${o}.`);return[i].flat().map((a)=>r.replace(o,()=>a))}).join(`
`)}var qt={id:"int64",name:"text",categoryId:"int64",status:"text"};var Ht=`# TypeScript

## A request

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`

## Every page

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);
\`\`\`

## A request with retries

\`\`\`ts
// The client waits, backs off and repeats for you.
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`
`;var Ut=B("typescript","TypeScript",Ht,(e)=>{let{operation:t,baseUrl:n,values:r}=e;return{package:n.slice(0,-G.length)+yt,baseUrl:C(n),call:Vn[t](r)}}),Bt={...Ut,request:(e)=>e.otherBody===void 0?Ut.request(e):`// The client sends only pets. Other JSON needs fetch.
${me.request(e)}`},Vn={listPets({query:e}){return`const page = await store.listPets(${Dt(e,(n,r)=>Gn[n](r))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=Dt(e,Jn),r=t["Idempotency-Key"],o=r===void 0?"":`, { idempotencyKey: ${C(r)} }`;return`const pet = await store.createPet(${n}${o});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Ft(e.petId??"")});
console.log(pet); // undefined if there is none`},Gn={limit:jt,status:C,after:Ft};function Ft(e){return jt(e,"n")}function jt(e,t=""){return fe.test(e)?e+t:C(e)}function Jn(e,t){if(typeof t==="string")return C(t);return qt[e].startsWith("int64")?`${t}n`:`${t}`}function Dt(e,t){let n=Object.entries(e).map(([r,o])=>`  ${r}: ${t(r,o)},
`);return n.length===0?"":`{
${n.join("")}}`}var z=[Lt,Bt,me,$t,Mt];var Kn=["bad","neutral","good","info","warning","bad"];function Vt({status:e,title:t}){return u("span",{class:`badge status ${Kn[Math.floor(e/100)]}`,children:t??e})}function Gt({outcome:e,isSending:t}){let{title:n,status:r=0,note:o,body:s,headers:i,errorCode:a}=e;return u("div",{class:"response","aria-busy":t,children:[u("div",{class:"line",children:[u("span",{role:"status",children:t?"Sending…":u(A,{children:[u(Vt,{status:r,title:n})," ",u("span",{class:"note",children:o})]})}),s&&u(ce,{what:"response"})]}),a!==void 0&&u("p",{class:"error-code",children:["Error"," ",u("a",{href:`.${le}#${a}`,children:u("code",{children:a})}),": what it means and what to do"]}),s&&u(J,{language:"json",code:Yn(s)}),i!==void 0&&u("details",{children:[u("summary",{children:["Headers ",u("span",{class:"note",children:i.length})]}),u(J,{language:"http",code:i.map(([p,d])=>`${p}: ${d}`).join(`
`)})]})]})}function Yn(e){try{return _e(Ot(e),2)}catch{return e}}class He extends EventTarget{storage;name;#e;constructor(e,t){super();this.storage=e;this.name=t;this.#e=Jt(()=>e().getItem(t))??""}get value(){return this.#e}set(e){this.#e=e,Jt(()=>this.storage().setItem(this.name,e)),this.dispatchEvent(new Event("change"))}}var D=new He(()=>sessionStorage,"animal-store.key");function he(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var Ue=new He(()=>localStorage,"animal-store.language");function De(e){let[t,n]=T();return H(()=>{let r=()=>n(e.value);e.addEventListener("change",r),r()},[e]),t}function Jt(e){try{return e()}catch{return}}var Wn=/#(\w+)>; rel="help"/,zn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Kt(e){let[t,n]=T(e),[r,o]=T(!1),s=ae(void 0);return{outcome:t,isSending:r,sendOrCancel:async(a)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,o(!0);let{signal:p}=s.current;await Zn(a(),p),n(await Yt(a(),p)),o(!1),s.current=void 0}}}async function Yt(e,t){let{method:n}=e,r=Y(e);if(D.value!=="")r.push(["Authorization",`Bearer ${D.value}`]);let o=performance.now();if(r.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:Xn};try{let s=await fetch(K(e),{method:n,headers:r,signal:t,body:U(e)??null,cache:"no-store",credentials:"omit"}),i=await tr(s,o);if(s.ok)er(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Qn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var Xn="A header may contain only ASCII characters. Check your API key.",Qn="The service cannot be reached from this page. Check your connection and the headers.",ge="nothing",Wt=()=>document.querySelector("[data-place=path]");async function Zn(e,t){let[n="",r]=e.path.split("/{"),o=Wt(),s=ge==="nothing"&&o?.value===o?.defaultValue;if(r===void 0||!s||D.value==="")return;ge="listed",await Yt({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function er(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],r=Wt();if(n===void 0||r===null||ge==="added"&&!e)return;ge=e?"added":"listed",r.defaultValue=n,r.dispatchEvent(new Event("input",{bubbles:!0}))}async function tr(e,t){let{status:n,statusText:r,headers:o}=e,s=await e.text(),i=o.get("Link")??"";return{title:`${n} ${r}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${nr(o)}`,body:s,headers:[...o],nextAfter:zn.exec(i)?.[1],errorCode:Wn.exec(i)?.[1]}}function nr(e){let[t,n,r]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!r)return"";let o=new Date(Number(r)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${o}`}function Xt({id:e,request:t,example:n}){let r=ae(null),o=()=>r.current?.closest("form"),[s,i]=T(t),{outcome:a,isSending:p,sendOrCancel:d}=Kt(n),{nextAfter:c}=a;H(()=>{let _=o();if(!_)return;let l=()=>i(zt(_,t));_.addEventListener("input",l),_.addEventListener("submit",(f)=>{f.preventDefault(),l(),d(()=>zt(_,t))}),l()},[]);let m=()=>{let _=o()?.querySelector("[name=after]");if(!_)return;_.value=c??"",_.form?.requestSubmit()};return u("div",{class:"panel",ref:r,children:[u(Zt,{codeOf:(_)=>_.request(s)}),u("div",{class:"line send needs-script",children:[u("button",{type:"submit",onClick:(_)=>_.detail>1&&_.preventDefault(),children:[p?"Cancel":"Send",u("span",{class:"hidden",children:[" ",s.operation]})]}),u(rr,{})]}),u(Gt,{outcome:a,isSending:p}),e===s.operation&&c!==void 0&&u("p",{children:u("button",{type:"button",class:"secondary",onClick:m,children:"Next page"})})]})}function Qt({loop:e,request:t}){let[n,r]=T(t.baseUrl);return H(()=>r(en()),[]),u("div",{class:"panel",children:u(Zt,{codeOf:(o)=>o[e]({...t,baseUrl:n})})})}function rr(){let e=De(D)??"";return u("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>D.set(he(t.value))})}function Zt({codeOf:e}){let t=De(Ue),n=z.find(({id:o})=>o===t)??z[0],r=t===void 0?z:[n];return u(A,{children:[u("div",{class:"line needs-script",children:[u("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>Ue.set(o.value),children:z.map(({id:o,title:s})=>u("option",{value:o,children:s},o))}),u(ce,{})]}),r.map((o)=>u(A,{children:[u("p",{class:"language",children:o.title}),u(J,{language:o.id,code:e(o)})]},o.id))]})}function zt(e,t){let n=structuredClone(t.values);for(let{name:o,value:s,inputMode:i,dataset:a}of e.querySelectorAll("[data-place]")){let p=n[a.place]??{},d=s.trim(),c=p===n.body,m=c&&i==="numeric"&&fe.test(d),_=c&&a.type==="boolean";if(p[o]=m?BigInt(d):_?d==="true":d,d==="")delete p[o]}let r=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:en(),values:n,otherBody:r}}function en(){return location.origin+new URL(`..${G}`,import.meta.url).pathname}function tn({root:e}){let[t,n]=T(""),[r,o]=T(),[s,i]=T("Loading…");H(ar,[]);let a=async()=>{try{let c=r??await ir(e);o(()=>c)}catch{i("Search is not available. Reload the page to try again.")}},p=r?.(t)??[],d=()=>{n(""),document.activeElement.blur()};return u("search",{class:"search needs-script",onKeyDown:(c)=>c.key==="Escape"?d():or(c),children:[u("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:c})=>n(c.value),onFocus:a}),u("div",{class:"search-list",hidden:t==="",children:[p.map(({title:c,place:m,text:_,href:l})=>u("a",{href:e+l,tabIndex:0,onClick:d,children:[u("b",{children:c}),u("span",{class:"note",children:m}),u("span",{class:"search-text note",children:_})]},l)),u("p",{role:"status",class:"note",children:r===void 0?s:sr(p)})]})]})}function or(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function sr({length:e}){return e===1?"1 result":`${e||"No"} results`}async function ir(e){let t=(o)=>new URL(e+o.slice(1),location.href).href,[{newSearch:n},r]=await Promise.all([import(t(gt)),fetch(t(ht))]);return n(await r.json())}function ar(){let e=document.getElementById("search");if(matchMedia("(hover: hover)").matches)e.placeholder="Type / to search";document.addEventListener("keydown",(t)=>{let{key:n,ctrlKey:r,metaKey:o,altKey:s,target:i}=t;if(n!=="/"||r||o||s)return;if(i instanceof Element&&i.matches("input, select, textarea"))return;t.preventDefault(),e.focus()})}function ye({name:e,columns:t,rows:n}){return u("table",{role:"table",class:e,children:[u("thead",{role:"rowgroup",children:u("tr",{role:"row",children:t.map((r)=>u("th",{role:"columnheader",scope:"col",children:r}))})}),u("tbody",{role:"rowgroup",children:n.map(([r,...o])=>u("tr",{role:"row",children:[u("th",{role:"rowheader",scope:"row",children:r}),o.map((s)=>u("td",{role:"cell",children:s}))]}))})]})}function nn(e){let[t,n]=T(),[r,o]=T("");return u(A,{children:[u("form",{class:"line send",onSubmit:async(i)=>{i.preventDefault();let a=new FormData(i.currentTarget).get("key");n(void 0),o("Loading…");try{let p=await fetch(location.origin+location.pathname,{headers:{Accept:"application/json",Authorization:`Bearer ${he(`${a}`)}`},credentials:"omit"}),d=await p.json();if(p.ok)n(d);o(d.message??`The key is ${d.state}.`)}catch{o("The service did not respond. Check the key and your connection.")}},children:[u("input",{name:"key",type:"password",autocomplete:"off",required:!0,"aria-label":"API key"}),u("button",{type:"submit",children:"Show usage"})]}),u("p",{role:"status",children:r}),t&&u(lr,{...t})]})}function lr({bannedUntil:e,expiresAt:t,readOnly:n,windows:r,requests:o,refusals:s}){return u(A,{children:[u("p",{children:[e&&`It is banned until ${e}. `,n&&"It can only read. ",t&&`It expires at ${t}. `,`You call ${o.getPet?"getPet, which is":"no operation that is"} `,u("a",{href:`.${mt}#deprecations`,children:"deprecated"}),"."]}),u(ye,{name:"figures",columns:["Limit","Used","","Ends"],rows:Object.entries(r??{}).map(([i,{limit:a,remaining:p,resetsAt:d}])=>{let c=a-p,m=`${be(c)} of ${be(a)}`;return[i,m,u("meter",{"aria-label":m,max:a,value:c}),d]})}),u(ye,{name:"figures",columns:["Requests","Result","Today","30 days","Each day"],rows:Object.entries(o).flatMap(([i,a])=>Object.entries(a).map(([p,d])=>[i,p.replace(/[A-Z]/g," $&").toLowerCase(),be(d.at(-1)),be(d.reduce((c,m)=>c+m)),u(cr,{days:d})]))}),u(ye,{name:"figures",columns:["Last refusals",`Those of one instance since ${s.completeSince}`],rows:s.requests.map(({at:i,code:a,operation:p,requestId:d})=>[u("a",{href:`.${le}#${a}`,children:a}),`${i} ${p} ${d}`])})]})}function cr({days:e}){let t=Math.max(...e),n=e.map((r,o)=>`M${o} 1V${1-r/t}`);return u("svg",{viewBox:"0 0 30 1",preserveAspectRatio:"none",role:"img","aria-label":`Up to ${t}`,children:u("path",{d:n.join("")})})}function be(e=0){return e.toLocaleString("en-US")}var ur={"code-panel":Xt,"loop-panel":Qt,"search-box":tn,"usage-view":nn};function rn(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,r=ur[t];nt(u(r,{...JSON.parse(n)}),e)}}function on(e){let t=new Map,n=new IntersectionObserver((r)=>{for(let{target:o,isIntersecting:s}of r){let i=t.get(o);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),pr(e,i)}},{rootMargin:"-20% 0px -80%"});for(let r of e.querySelectorAll("li a")){let o=document.getElementById(r.hash.slice(1));if(o===null||r.pathname!==location.pathname)continue;t.set(o,r),n.observe(o)}}function pr(e,t){let n=e.getBoundingClientRect(),r=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(r)>n.height/4)e.scrollTop+=r}function sn(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var dr=2000;rn();_r();var Be=document.getElementById("navigation");if(Be!==null)on(Be),sn(Be);function _r(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),r=t?.firstChild;if(!n||!r)return;await fr(n),r.nodeValue="Copied",setTimeout(()=>{r.nodeValue="Copy"},dr)})}async function fr(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
